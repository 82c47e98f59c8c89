// A path's name in capitals and small letters alike, as a pattern of the profile language. Only a path of plain characters is
// written into a profile; any other could be read as something else than a path.

const plain = /^[\w\-. /@+,=~%:#!]*$/;

/**
 * The pattern, with its quotes, for `path` and what is below it, with the letters of its last name in either case. `undefined` for
 * a path with characters that would have to be quoted.
 */
export function anyCase(path: string): string | undefined {
  if (!plain.test(path) || /[^\x20-\x7e]/.test(path)) return undefined;
  const end = path.lastIndexOf("/") + 1;
  const name = path.slice(end).replace(/./g, eitherCase);
  return `#"^${path.slice(0, end).replace(/./g, itself)}${name}(/|$)"`;
}

function eitherCase(character: string): string {
  const [small, capital] = [character.toLowerCase(), character.toUpperCase()];
  return small === capital ? itself(character) : `[${small}${capital}]`;
}

function itself(character: string): string {
  return /[.+]/.test(character) ? `[${character}]` : character;
}
