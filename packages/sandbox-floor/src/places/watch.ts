// What is looked at again after a command. Commands overlap, and what one of them made must not pass for something that was there
// when the next one began: what was not there when the first of those that overlap began counts as not there for all of them.
// Each of them looks when it ends, so nothing stays until the longest has ended.
import type { Aftermath } from "../wrapped.js";
import type { Watched } from "./guard.js";
import { setRight } from "./set-right.js";

export interface Watches {
  /** `present` are protected paths that are there now. What a running command made of them is watched for this one as well. */
  begin(watched: readonly Watched[], present: readonly string[]): Watch;
}

export interface Watch {
  /** The second call gets what the first one found. */
  undo(): Promise<Required<Aftermath>>;
}

interface Seat {
  readonly watched: Watched;
  commands: number;
}

let shared: Watches | undefined;

export function processWatches(): Watches {
  shared ??= sharedWatches();
  return shared;
}

function sharedWatches(): Watches {
  const seats = new Map<string, Seat>();

  function sit(watched: Watched): Seat {
    const seat = seats.get(watched.path) ?? { watched, commands: 0 };
    seat.commands += 1;
    seats.set(watched.path, seat);
    return seat;
  }

  function leave(seat: Seat): void {
    seat.commands -= 1;
    if (seat.commands === 0) seats.delete(seat.watched.path);
  }

  return {
    begin(watched, present) {
      const joined = present.flatMap((path) => seats.get(path)?.watched ?? []);
      const mine = new Map([...watched, ...joined].map((each) => [each.path, each]));
      const taken = [...mine.values()].map(sit);
      let done: Promise<Required<Aftermath>> | undefined;
      return {
        undo() {
          done ??= setRight(taken.map((seat) => seat.watched)).finally(() => taken.forEach(leave));
          return done;
        },
      };
    },
  };
}
