/** Stops and starts databases: decide, act, verify. */
package io.holdfast.power;
