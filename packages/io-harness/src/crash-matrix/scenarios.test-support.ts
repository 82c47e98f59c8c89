// Runs that between them do everything that a run can do. What each is about is in its name.
import { endingScenarios } from "./ending-scenarios.test-support.js";
import { peopleScenarios } from "./people-scenarios.test-support.js";
import type { Scenario } from "./scenario.test-support.js";
import { toolScenarios } from "./tool-scenarios.test-support.js";

export const scenarios: readonly Scenario[] = [...toolScenarios, ...peopleScenarios, ...endingScenarios];
