// How the guards compile: as the packages do, but with every package's name meaning its sources, so that nothing need be built.
import { join } from "node:path";
import ts from "typescript";
import { entryPoints, packages, root } from "./repository.js";

const config = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);

const paths = Object.fromEntries(
  packages.flatMap((item) =>
    [...entryPoints(item)].map(([subpath, source]) => [
      `${item.manifest.name}${subpath.slice(1)}`,
      [join(root, source)],
    ]),
  ),
);

export const compilerOptions: ts.CompilerOptions = {
  ...options,
  paths,
  composite: false,
  declaration: false,
  emitDeclarationOnly: false,
  noEmit: true,
};
