/** Stands for a decoder that crashes. */
process.on('message', () => process.kill(process.pid, 'SIGSEGV'))
