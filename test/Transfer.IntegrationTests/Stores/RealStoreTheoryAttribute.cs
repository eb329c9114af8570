namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>A theory that applies only to stores that aren't the embedded server. It is skipped if none is configured.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RealStoreTheoryAttribute : TheoryAttribute
{
    public RealStoreTheoryAttribute() => Skip = RealStoresAttribute.Names.Count > 0 ? null : "Requires a store. Set S3_ENDPOINT or TRANSFER_TEST_STORES.";
}
