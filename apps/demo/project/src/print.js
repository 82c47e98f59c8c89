// The agenda as a page of text.

/** One line for each talk of a planned agenda. */
export function printAgenda(agenda) {
  return agenda.map(({ start, end, title }) => `${start}–${end}  ${title}`).join("\n");
}
