// Text that arrives in pieces under positions, and what was shown of it. Pieces nearly always come in order, and are shown as they
// come. Where they do not, or where the vendor takes back what it streamed, the shown text is no longer the text: `isTorn` says so,
// and whoever shows it starts over once the whole is known.

/** Where a piece belongs: the item of the answer, and the part of that item. */
export interface Position {
  readonly item: number;
  readonly part: number;
}

export interface PassagesOptions {
  /** Stands between the texts of two parts. */
  separator(before: Position, after: Position): string;
  show(text: string): void;
}

export interface Passages {
  append(at: Position, piece: string): void;
  /** Replaces what came at `at` by the whole of it, and shows the rest when what came is its beginning. */
  settle(at: Position, whole: string): void;
  /** Empties the parts of `item` from `part` on: the vendor's last word does not have them. */
  cut(item: number, part: number): void;
  /** The text so far, of one item or of all: the parts that are not empty, by position. */
  text(item?: number): string;
  readonly isTorn: boolean;
}

interface Passage {
  readonly at: Position;
  text: string;
}

export function passages({ separator, show }: PassagesOptions): Passages {
  const found: Passage[] = [];
  let last: Passage | undefined;
  let isTorn = false;

  function passageAt(at: Position): Passage {
    if (last && order(last.at, at) === 0) return last;
    const existing = found.find((passage) => order(passage.at, at) === 0);
    if (existing) return existing;
    const passage = { at, text: "" };
    found.push(passage);
    return passage;
  }

  function append(at: Position, piece: string): void {
    if (piece === "") return;
    const passage = passageAt(at);
    const isFirst = passage.text === "";
    passage.text += piece;
    if (last && order(at, last.at) < 0) {
      isTorn = true;
      return;
    }
    const lead = isFirst && last ? separator(last.at, at) : "";
    last = passage;
    show(lead + piece);
  }

  function replace(passage: Passage, text: string): void {
    passage.text = text;
    isTorn = true;
  }

  return {
    append,
    settle(at, whole) {
      const passage = passageAt(at);
      if (whole.startsWith(passage.text)) append(at, whole.slice(passage.text.length));
      else replace(passage, whole);
    },
    cut(item, part) {
      for (const passage of found) {
        if (passage.at.item === item && passage.at.part >= part && passage.text !== "") replace(passage, "");
      }
    },
    text(item) {
      const wanted = found.filter(({ at, text }) => text !== "" && (item === undefined || at.item === item));
      let before: Position | undefined;
      let whole = "";
      for (const { at, text } of wanted.sort((a, b) => order(a.at, b.at))) {
        whole += (before ? separator(before, at) : "") + text;
        before = at;
      }
      return whole;
    },
    get isTorn() {
      return isTorn;
    },
  };
}

function order(a: Position, b: Position): number {
  return a.item - b.item || a.part - b.part;
}
