namespace Transfer.IntegrationTests.Stores;

/// <summary>Shows in the test report whether the theories also ran with MinIO.</summary>
public class MinioTests
{
    [MinioFact]
    public async Task Minio_Configured_Responds()
    {
        await using Store store = await Store.StartAsync(Store.Minio);
        Assert.Empty(await store.OpenUploadsAsync());
    }
}
