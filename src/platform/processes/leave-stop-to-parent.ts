/**
 * Loaded before a task's program: a stop that reaches all processes, as Ctrl-C and service managers send it, is the parent's to act on. It
 * ends its tasks when it gives them up.
 */
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
