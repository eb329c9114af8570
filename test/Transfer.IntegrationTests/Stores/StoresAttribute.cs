using System.Reflection;
using Xunit.Sdk;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>
/// Runs a theory with the embedded server, and with MinIO if <c>S3_ENDPOINT</c> is set, over both protocols, with every given value.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class StoresAttribute(params object[] values) : DataAttribute
{
    /// <summary>Gets a value that indicates whether the SDK's connections are left out because they would only take longer.</summary>
    public bool OurWireOnly { get; init; }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod)
    {
        string[] names = MinioStore.Endpoint is null ? [Store.Embedded] : [Store.Embedded, Store.Minio];
        string[] stores = OurWireOnly ? names : [.. names, .. names.Select(name => name + Store.BySdk)];
        return values.Length == 0
            ? stores.Select(store => new object[] { store })
            : stores.SelectMany(_ => values, (store, value) => new object[] { store, value });
    }
}
