import { describe, expect, it } from "vitest";
import { modelsCheck } from "./check-models.js";
import { fakeMachine } from "./machine.test-support.js";

const look = (env: Readonly<Record<string, string>>) => modelsCheck.examine(fakeMachine({ env }));

describe("the models of a machine", () => {
  it("are told by the names of what is set, and by no value", async () => {
    const env = {
      OPENAI_API_KEY: "sk-secret",
      GROQ_API_KEY: "gsk-secret",
      HARNESS_BASE_URL: "http://me:secret@localhost:8000/v1",
      HARNESS_MODEL: "model-secret",
    };
    const report = await look(env);

    expect(report.facts).toEqual({
      keys: ["OPENAI_API_KEY", "GROQ_API_KEY"],
      settings: ["HARNESS_BASE_URL", "HARNESS_MODEL"],
    });
    expect(report.findings.map(({ text }) => text)).toEqual([
      "OPENAI_API_KEY (--provider openai), GROQ_API_KEY (--provider groq)",
      "HARNESS_BASE_URL, HARNESS_MODEL",
      "HARNESS_BASE_URL and HARNESS_MODEL name one: --provider compatible",
    ]);
    expect(JSON.stringify(report)).not.toContain("secret");
  });

  it("are no problem where there are none: a module of one's own needs no key", async () => {
    const { findings } = await look({});

    expect(findings.map(({ status }) => status)).toEqual(["plain", "plain"]);
    expect(findings[0]?.text).toMatch(/^none; /);
  });
});
