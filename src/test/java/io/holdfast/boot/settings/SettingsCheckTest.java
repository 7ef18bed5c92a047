package io.holdfast.boot.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.docs.Setting;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.common.utils.StringUtil;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SettingsCheckTest {
    @Test
    void everySwitchIsChecked() {
        var switches = Setting.mappings().stream()
                .flatMap(mapping -> Arrays.stream(mapping.getMethods())
                        .filter(method -> method.getReturnType() == boolean.class)
                        .map(method -> mapping.getAnnotation(ConfigMapping.class)
                                        .prefix() + "." + StringUtil.skewer(method.getName())))
                .toList();

        assertThat(SettingsCheck.SWITCHES).containsExactlyInAnyOrderElementsOf(switches);
    }
}
