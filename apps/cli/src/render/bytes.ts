// Sizes in a few characters.

const units = ["KB", "MB", "GB", "TB"] as const;

/** `812 B`, `4.0 KB`, `1.2 MB`; a KB has 1,024 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const amount = bytes / 1_024 ** power;
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[power - 1]}`;
}
