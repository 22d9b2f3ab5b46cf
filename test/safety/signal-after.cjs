// Preloaded into the built program: sends it a signal so many milliseconds after Node began to run it.
const { isMainThread } = require('node:worker_threads')

const { SIGNAL_NAME, SIGNAL_AFTER } = process.env
if (isMainThread) setTimeout(() => process.kill(process.pid, SIGNAL_NAME), Number(SIGNAL_AFTER)).unref()
