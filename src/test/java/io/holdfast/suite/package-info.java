/** What holds for all tests: the defaults of their time limits, and which of them `make check` runs. */
package io.holdfast.suite;
