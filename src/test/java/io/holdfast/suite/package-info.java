/** What holds for all tests: the defaults of their time limits. */
package io.holdfast.suite;
