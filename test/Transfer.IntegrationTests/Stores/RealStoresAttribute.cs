using System.Reflection;
using Xunit.Sdk;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>Runs a theory with each store that isn't the embedded server: MinIO if <c>S3_ENDPOINT</c> is set, and those in <c>TRANSFER_TEST_STORES</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RealStoresAttribute : DataAttribute
{
    public static IReadOnlyList<string> Names { get; } = [.. MinioStore.Endpoint is null ? Array.Empty<string>() : [Store.Minio], .. OtherStore.Names];

    /// <summary>Gets a value that indicates whether the SDK's connections are left out because they would only take longer.</summary>
    public bool OurWireOnly { get; init; }

    /// <summary>Gets the name of a store for which the theory can't hold, which docs/stores.md says; null for none.</summary>
    public string? Except { get; init; }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod)
        => Names.Where(name => name != Except).SelectMany(name => OurWireOnly ? [name] : (string[])[name, name + Store.BySdk]).Select(name => new object[] { name });
}
