/** Loaded before the tests of a mutant: properties draw the same examples every time, so a mutant lives or dies for good. */
import fc from 'fast-check'

fc.configureGlobal({ seed: 20_260_101 })
