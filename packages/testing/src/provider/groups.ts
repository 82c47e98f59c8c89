// The suite as data, in the order in which a new provider is best made to pass it.
import { abortCases } from "./abort-cases.js";
import { answerCases } from "./answer-cases.js";
import { concurrencyCases } from "./concurrency-cases.js";
import { connectionCases, deadlineCases } from "./connection-cases.js";
import { framingCases } from "./framing-cases.js";
import { requestCases } from "./request-cases.js";
import { retryAfterCases } from "./retry-after-cases.js";
import { secretCases } from "./secret-cases.js";
import { statusCases } from "./status-cases.js";
import { streamFailureCases } from "./stream-failure-cases.js";
import type { Cases } from "./subject.js";

export interface Group {
  readonly title: string;
  readonly cases: Cases;
  readonly needs?: "keepsDeadlines";
}

export const groups: readonly Group[] = [
  { title: "requests", cases: requestCases },
  { title: "answers", cases: answerCases },
  { title: "streams", cases: framingCases },
  { title: "refusals", cases: statusCases },
  { title: "how long to wait", cases: retryAfterCases },
  { title: "streams that fail", cases: streamFailureCases },
  { title: "connections", cases: connectionCases },
  { title: "deadlines", cases: deadlineCases, needs: "keepsDeadlines" },
  { title: "cancelling", cases: abortCases },
  { title: "calls at the same time", cases: concurrencyCases },
  { title: "secrets", cases: secretCases },
];
