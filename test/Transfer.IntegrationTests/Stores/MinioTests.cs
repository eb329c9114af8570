namespace Transfer.IntegrationTests.Stores;

/// <summary>Says in the test report whether the theories ran on MinIO too.</summary>
public class MinioTests
{
    [MinioFact]
    public async Task Minio_WhereItIsNamed_Answers()
    {
        await using Store store = await Store.StartAsync(Store.Minio);
        Assert.Empty(await store.OpenUploadsAsync());
    }
}
