/** A tree that breaks every rule of the architecture test once, so that each rule is seen to fail. */
package broken;
