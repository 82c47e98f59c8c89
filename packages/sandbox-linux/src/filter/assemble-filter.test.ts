import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleFilter } from "./assemble-filter.js";
import { callTables, filterArchitecture } from "./calls.js";
import { instructionsOf, verdictOf } from "./test-interpreter.js";

const verdicts = {
  allowed: 0x7fff0000,
  killed: 0x80000000,
  EPERM: 0x50001,
  EACCES: 0x5000d,
  ENOSYS: 0x50026,
  EAFNOSUPPORT: 0x50061,
} as const;

const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const words = fc.array(word, { minLength: 6, maxLength: 6 });
/** What a call reads of an argument is its lower half; the upper one may hold anything. */
const lower = (value: number) =>
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((upper) => (upper << 32n) | BigInt(value));

const options = fc.record({ unixSockets: fc.boolean(), network: fc.boolean() });

describe.each(["x64", "arm64"] as const)("the filter for %s", (architecture) => {
  const { audit, refused, absent, judged } = callTables[architecture];
  const filterFor = (choice = { unixSockets: false, network: true }) => assembleFilter({ architecture, ...choice });
  const verdict = (number: number, values: readonly bigint[] = [], choice?: Parameters<typeof filterFor>[0]) =>
    verdictOf(filterFor(choice), { architecture: audit, number, arguments: values });

  it("refuses every listed call, whatever its arguments", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(refused)), words, options, (number, values, choice) => {
        expect(verdict(number, values, choice)).toBe(verdicts.EPERM);
      }),
    );
  });

  it("says of io_uring and clone3 that they are not there", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(absent)), words, options, (number, values, choice) => {
        expect(verdict(number, values, choice)).toBe(verdicts.ENOSYS);
      }),
    );
  });

  it("kills whoever calls in the manner of another architecture", () => {
    const other = fc.integer({ min: 0, max: 0xffffffff }).filter((number) => number !== audit);
    fc.assert(
      fc.property(other, fc.nat(600), words, options, (foreign, number, values, choice) => {
        const call = { architecture: foreign, number, arguments: values };
        expect(verdictOf(filterFor(choice), call)).toBe(verdicts.killed);
      }),
    );
  });

  it("says of every x32 number that it is not there", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0x40000000, max: 0xffffffff }), words, (number, values) => {
        expect(verdict(number, values)).toBe(verdicts.ENOSYS);
      }),
    );
  });

  it("refuses to make a namespace of any kind, and lets processes and threads be made", () => {
    const kinds = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    const threads = 0x3d0f00;
    const calls = fc.constantFrom(judged.clone, judged.unshare);
    fc.assert(
      fc.property(
        calls,
        fc.constantFrom(...kinds).chain((kind) => lower(kind | threads)),
        (number, flags) => {
          expect(verdict(number, [flags])).toBe(verdicts.EPERM);
        },
      ),
    );
    for (const flags of [17n, 0x3d0f00n, 0x4111n, 0n]) expect(verdict(judged.clone, [flags])).toBe(verdicts.allowed);
  });

  it("judges a socket by its family", () => {
    const seen = (family: number, choice?: Parameters<typeof filterFor>[0]) =>
      verdict(judged.socket, [BigInt(family)], choice);
    const closed = { unixSockets: false, network: false };

    expect([2, 10, 16].map((family) => seen(family))).toEqual(Array(3).fill(verdicts.allowed));
    expect([40, 38].map((family) => seen(family))).toEqual(Array(2).fill(verdicts.EAFNOSUPPORT));
    expect([40, 38].map((family) => seen(family, closed))).toEqual(Array(2).fill(verdicts.EAFNOSUPPORT));
    expect([seen(17), seen(17, closed), seen(1)]).toEqual(Array(3).fill(verdicts.EPERM));
    expect(seen(1, { unixSockets: true, network: false })).toBe(verdicts.allowed);
    expect(seen(16, closed)).toBe(verdicts.allowed);
  });

  it("lets no family through that could carry traffic, where it alone keeps a command from the network", () => {
    const harmless = new Set([1, 16, 17, 38, 40]);
    const family = fc.integer({ min: 0, max: 0xffffffff }).filter((number) => !harmless.has(number));
    fc.assert(
      fc.property(family.chain(lower), fc.boolean(), (value, unixSockets) => {
        expect(verdict(judged.socket, [value], { unixSockets, network: false })).toBe(verdicts.EACCES);
      }),
      {
        examples: [
          [2n, true],
          [10n, true],
          [43n, true],
        ],
      },
    );
  });

  it("refuses to type into a terminal, and lets it be asked", () => {
    fc.assert(
      fc.property(word, fc.constantFrom(0x5412, 0x541c).chain(lower), (descriptor, request) => {
        expect(verdict(judged.ioctl, [descriptor, request])).toBe(verdicts.EPERM);
      }),
    );
    for (const request of [0x5401n, 0x5413n, 0x541bn])
      expect(verdict(judged.ioctl, [0n, request])).toBe(verdicts.allowed);
  });

  it("lets every other call through", () => {
    const known = new Set([...Object.values(refused), ...Object.values(absent), ...Object.values(judged)]);
    const other = fc.integer({ min: 0, max: 0x3fffffff }).filter((number) => !known.has(number));
    fc.assert(
      fc.property(
        fc.oneof(
          other,
          fc.nat(500).filter((number) => !known.has(number)),
        ),
        words,
        options,
        (number, values, choice) => {
          expect(verdict(number, values, choice)).toBe(verdicts.allowed);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("has a length that the kernel takes, and jumps that land inside", () => {
    for (const choice of [
      { unixSockets: false, network: true },
      { unixSockets: true, network: false },
    ]) {
      const filter = filterFor(choice);
      const instructions = instructionsOf(filter);
      const landings = instructions.map(({ code, yes, no }, at) => (code === 0x06 ? at : at + 1 + Math.max(yes, no)));

      expect(filter.length).toBe((architecture === "x64" ? 66 : 64) * 8 + (choice.network ? 0 : 16));
      expect(Math.max(...landings)).toBeLessThan(instructions.length);
      expect(instructions.at(-1)?.code).toBe(0x06);
    }
  });
});

it("numbers calls as the kernel's headers of x64 do", () => {
  const { refused, judged } = callTables.x64;

  expect(Object.keys(refused)).toHaveLength(37);
  expect(new Set(Object.values({ ...refused, ...judged })).size).toBe(41);
});

it("knows two architectures and makes no filter for others", () => {
  expect(["x64", "arm64", "ia32", "riscv64"].map(filterArchitecture)).toEqual(["x64", "arm64", undefined, undefined]);
});
