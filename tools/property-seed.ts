/**
 * Loaded before test files with properties: they use the same examples in every run, so a run that fails on one machine fails on
 * all. `CANDOR_PROPERTY_SEED` chooses others.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['CANDOR_PROPERTY_SEED'] ?? 20_260_101) })
