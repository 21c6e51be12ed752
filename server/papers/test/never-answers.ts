/** Stands for a decoder that hangs. */
process.on('message', () => undefined)
