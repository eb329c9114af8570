using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Copy;

/// <summary>Each row of <see cref="ObjectHeader"/>: its option is sent, what a store returns is read, and copies do what the row says, with both wires.</summary>
public sealed class ObjectHeaderTests
{
    [Theory]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Sdk, false)]
    [InlineData(TransferWire.Sdk, true)]
    public Task Upload_EveryHeader_IsSent(TransferWire wire, bool isInParts) => ForEachAsync(wire, async (header, store, client) =>
    {
        UploadOptions options = new UploadOptions { MultipartThresholdBytes = isInParts ? 0 : null }.With(header);

        await client.UploadAsync(new MemoryStream(Sample.Bytes(10)), FakeHttp.Bucket, "key", options).Within();

        Assert.EachEqual((header.Name, HeaderSamples.GetValue(header)), (header.Name, store.Sent(header.Name)));
        string signed = FakeHttp.Header(store.Writes.Single(), "Authorization")!.Split("SignedHeaders=")[1].Split(',')[0];
        Assert.True(wire == TransferWire.Sdk || signed.Split(';').Contains(header.SignedName), $"{header.Name} isn't signed: {signed}");
    });

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public Task Read_EveryHeaderThatStoresReturn_IsInTheInfo(TransferWire wire) => ForEachAsync(wire, async (header, store, client) =>
    {
        if (header == ObjectHeader.Acl)
        {
            return;
        }

        store.Headers = [(header.Name, HeaderSamples.GetValue(header))];

        ObjectInfo asked = await client.GetInfoAsync(FakeHttp.Bucket, SourceStore.Key).Within();
        await using ObjectReadStream opened = await client.OpenReadAsync(FakeHttp.Bucket, SourceStore.Key).Within();

        string property = header == ObjectHeader.Expires ? nameof(ObjectInfo.ExpiresText) : header.Option;
        Assert.All([asked, opened.Info], info => Assert.EachEqual((property, HeaderSamples.GetValue(header)), (property, (string?)typeof(ObjectInfo).GetProperty(property)!.GetValue(info))));
    });

    [Theory]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Sdk, false)]
    [InlineData(TransferWire.Sdk, true)]
    public Task Copy_EveryHeaderThatStoresReturn_IsKeptOrLost(TransferWire wire, bool isToAnotherStore) => ForEachAsync(wire, async (header, store, client) =>
    {
        if (header == ObjectHeader.Acl)
        {
            return;
        }

        store.Headers = [(header.Name, HeaderSamples.GetValue(header))];

        CopyResult copy = isToAnotherStore
            ? await client.CopyAsync(new(FakeHttp.Bucket, SourceStore.Key), client, new(FakeHttp.Bucket, "copy")).Within()
            : await client.CopyAsync(new(FakeHttp.Bucket, SourceStore.Key), new(FakeHttp.Bucket, "copy"), new CopyOptions { MultipartThresholdBytes = 0 }).Within();

        Assert.Equal(header.IsKept ? [] : [header.Name], copy.LostProperties, StringComparer.OrdinalIgnoreCase);
        Assert.EachEqual((header.Name, header.IsKept ? HeaderSamples.GetValue(header) : null), (header.Name, store.Sent(header.Name)));
    });

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public Task Copy_EveryHeaderThatTheOptionsSet_ReplacesThatOfTheSource(TransferWire wire) => ForEachAsync(wire, async (header, store, client) =>
    {
        store.Headers = header == ObjectHeader.Acl ? [] : [(header.Name, "of the source")];

        CopyResult copy = await client.CopyAsync(
            new(FakeHttp.Bucket, SourceStore.Key), client, new(FakeHttp.Bucket, "copy"), new StoreCopyOptions { Target = new UploadOptions().With(header) }).Within();

        Assert.Empty(copy.LostProperties);
        Assert.EachEqual((header.Name, HeaderSamples.GetValue(header)), (header.Name, store.Sent(header.Name)));
    });

    private static async Task ForEachAsync(TransferWire wire, Func<ObjectHeader, SourceStore, TransferClient, Task> testAsync)
    {
        foreach (ObjectHeader header in HeaderSamples.All)
        {
            SourceStore store = new();
            using AmazonS3Client s3 = store.Http.NewS3();
            await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, StateDirectory = null, MaxAttempts = 1 });
            await testAsync(header, store, client);
        }
    }
}
