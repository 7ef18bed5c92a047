package io.holdfast.access.file;

import java.util.List;

/** A part of a YAML document that knows its line. Lines count from 1. */
sealed interface YamlNode {
    int line();

    /** What it is, in an error. */
    String word();

    /** @param plain not in quotes, so that YAML itself could read a number or true in it */
    record Text(String value, boolean plain, int line) implements YamlNode {
        @Override
        public String word() {
            return plain && value.isEmpty() ? "nothing" : "one value";
        }
    }

    record Sequence(List<YamlNode> items, int line) implements YamlNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String word() {
            return "a list";
        }
    }

    record Mapping(List<Entry> entries, int line) implements YamlNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        record Entry(Text key, YamlNode value) {}

        @Override
        public String word() {
            return "a mapping";
        }
    }
}
