using System.Reflection;
using Xunit.Sdk;

namespace Transfer.IntegrationTests.Stores;

/// <summary>Runs a theory on the embedded server, and on MinIO where <c>S3_ENDPOINT</c> is set; each with every value that is given.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class StoresAttribute(params object[] values) : DataAttribute
{
    public override IEnumerable<object[]> GetData(MethodInfo testMethod)
    {
        string[] stores = MinioStore.Endpoint is null ? [Store.Embedded] : [Store.Embedded, Store.Minio];
        return values.Length == 0
            ? stores.Select(store => new object[] { store })
            : stores.SelectMany(_ => values, (store, value) => new object[] { store, value });
    }
}
