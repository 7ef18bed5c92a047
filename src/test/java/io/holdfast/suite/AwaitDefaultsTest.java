package io.holdfast.suite;

class AwaitDefaultsTest implements AwaitDefaultsFacts {}
