// Whether the tables, indexes and views are those of this format. Indexes and views say nothing of their own and can be made
// again; a table that is missing is data that is missing.
import { openDriver } from "../driver.js";
import { formatVersion, layouts, views } from "../schema.js";
import type { Fault, Remedy } from "./fault.js";
import type { Look } from "./inspection.js";

interface SchemaObject {
  readonly type: "table" | "index" | "view";
  readonly name: string;
  readonly sql: string;
}

// Without what SQLite makes by itself, and without what the file's owner may have added.
const select = "select type, name, sql from sqlite_schema where type in ('table', 'index', 'view') and sql is not null";

/** Only `table` faults have no remedy; behind one, the other looks have nothing to look at. Views of a former format are made anew when it is brought up. */
export const schemaLook: Look = {
  at: "The list of tables",
  async *faults({ look }) {
    const { format, objects } = await look("check the tables", ({ format, statement }) => ({
      format,
      objects: statement(select).all() as SchemaObject[],
    }));
    const wanted = await expected(format);
    const there = new Map(objects.map((object) => [`${object.type} ${object.name}`, object]));
    for (const object of wanted) {
      const actual = there.get(`${object.type} ${object.name}`);
      if (!actual) yield fault(object, "is missing", { done: "it was made", work: made([object.sql]) });
      else if (plain(actual.sql) !== plain(object.sql)) {
        const drop = `drop ${object.type} ${object.name}`;
        yield fault(object, "is not the one this package makes", {
          done: "it was made anew",
          work: made([drop, object.sql]),
        });
      }
    }
  },
};

function fault({ type, name }: SchemaObject, what: string, remedy: Remedy): Fault {
  if (type !== "table") return { what: `The ${type} "${name}" ${what}`, remedy };
  return { what: `The table "${name}" ${what}, and what depends on it was not looked at` };
}

function made(statements: readonly string[]): Remedy["work"] {
  return ({ statement }) => {
    for (const sql of statements) statement(sql).run();
  };
}

/** Read from a database that has just been made, so that nothing is written down twice. */
async function expected(format: number): Promise<readonly SchemaObject[]> {
  const driver = await openDriver(":memory:");
  try {
    driver.exec(layouts.slice(0, format).join("") + (format === formatVersion ? views : ""));
    return driver.prepare(select).all() as SchemaObject[];
  } finally {
    driver.close();
  }
}

function plain(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}
