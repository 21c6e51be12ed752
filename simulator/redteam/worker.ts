/** A thread that plays the seeds it is sent, one after the other. */
import { parentPort } from 'node:worker_threads'
import { playSeed } from './report.ts'
import { strategies } from './strategies.ts'

/** `strategy`: its place in the list. */
export type Task = { readonly strategy: number; readonly seed: number }

parentPort!.on('message', ({ strategy, seed }: Task) => parentPort!.postMessage(playSeed(strategies[strategy]!, seed)))
