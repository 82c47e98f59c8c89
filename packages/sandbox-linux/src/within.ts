/** True for `folder` itself and for what is below it. Both absolute and without `..`. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
