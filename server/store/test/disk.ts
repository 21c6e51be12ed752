import { tmpdir } from 'node:os'

/** Names the folder on a disk, when the temporary folder of a run of tests is in memory. */
export const diskVariable = 'CANDOR_TEST_DISK'

/** A temporary folder that is on a disk, for tests of what a disk keeps. */
export const diskFolder = (): string => process.env[diskVariable] ?? tmpdir()
