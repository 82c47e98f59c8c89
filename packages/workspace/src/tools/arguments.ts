// The parts that the tools' argument schemas share, each described for the model that fills it in.
import { z } from "zod";

export const filePath = z
  .string()
  .min(1)
  .describe("Path of the file, relative to the workspace root, with / between its parts: src/main.ts");

/** An empty path reads as none given: models fill optional arguments with zero values. */
export const folderPath = z
  .string()
  .optional()
  .describe("Path of the folder, relative to the workspace root. Default: the workspace root.");

/** Text that can be written as it is. Half of a surrogate pair would silently become another character. */
export const text = z.string().refine((value) => value.isWellFormed(), "contains one half of a surrogate pair");

export const glob = z
  .string()
  .max(1_000)
  .optional()
  .describe(
    "Which files: a glob on the file name (*.ts) or on the path (src/**/*.test.ts). * stays within one folder, ** crosses folders, {a,b} is either.",
  );
