/**
 * Loaded before a task's program: ignores the stop signals that Ctrl-C and service managers send to all processes. The parent
 * handles them and ends its tasks itself.
 */
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
