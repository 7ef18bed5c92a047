package io.holdfast.http;

import io.quarkus.test.junit.TestProfile;
import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/** Classes that want the same settings follow each other, so that the packaged program is started once for them. */
public final class ByProfile implements ClassOrderer {
    private static final Comparator<ClassDescriptor> ORDER = Comparator.comparing(ByProfile::profile)
            .thenComparing(test -> test.getTestClass().getName());

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(ORDER);
    }

    /** Also that of a superclass: what is tested in the build is tested of the packaged program with the same. */
    private static String profile(ClassDescriptor test) {
        for (Class<?> type = test.getTestClass(); type != null; type = type.getSuperclass()) {
            var profile = type.getDeclaredAnnotation(TestProfile.class);
            if (profile != null) {
                return profile.value().getName();
            }
        }
        return "";
    }
}
