// What keeps a command to its own processes, and from having others started outside: an application that is opened, a job that is
// handed to launchd, an event that tells the Finder to do it.

export const processRules: readonly string[] = [
  "(deny signal)",
  "(allow signal (target same-sandbox))",
  "(deny process-info*)",
  "(allow process-info* (target same-sandbox))",
  // Arguments and environments of other processes.
  '(deny sysctl-read (sysctl-name-prefix "kern.procargs"))',
  "(deny mach-priv-task-port)",
  "(allow mach-priv-task-port (target same-sandbox))",
];

export const serviceRules: readonly string[] = [
  "(deny lsopen)",
  "(deny job-creation)",
  "(deny appleevent-send)",
  "(deny user-preference-write)",
  "(deny sysctl-write)",
  '(deny mach-lookup (global-name "com.apple.coreservices.launchservicesd"))',
  '(deny mach-lookup (global-name "com.apple.coreservices.appleevents"))',
  '(deny mach-lookup (global-name "com.apple.lsd.open") (global-name "com.apple.lsd.modifydb"))',
  // What is on the clipboard is often a password.
  '(deny mach-lookup (global-name "com.apple.pasteboard.1"))',
];
