/**
 * Loaded before the tests of a mutant: properties use the same examples in every run, so a mutant's result never varies, and end
 * at the first that fails without looking for a smaller one.
 */
import fc from 'fast-check'
import '../property-seed.ts'

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
