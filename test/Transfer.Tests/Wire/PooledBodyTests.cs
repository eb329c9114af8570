using System.Net;
using System.Text;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>Bodies of responses in pooled arrays, and the pages of listings that are read from them.</summary>
public sealed class PooledBodyTests
{
    private const int Chunk = 64 * 1024;

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(Chunk - 1, 1000)]
    [InlineData(Chunk, Chunk)]
    [InlineData(Chunk + 1, 7)]
    [InlineData((3 * Chunk) + 5, 100_000)]
    public async Task Read_AnyLengthInAnyPieces_ReturnsTheContentAgain(int length, int piece)
    {
        byte[] content = Sample.Bytes(length);
        using HttpContent source = new StreamContent(new ScriptedStream(content) { BytesPerRead = piece });
        await using PooledBody body = await PooledBody.ReadAsync(source, length, CancellationToken.None).Within();

        for (int i = 0; i < 2; i++)
        {
            body.Position = 0;
            byte[] read = new byte[length];
            body.ReadExactly(read);
            Assert.Equal(content, read);
            Assert.EachEqual((0, length, length), (body.Read(new byte[1], 0, 1), body.Length, body.Position));
        }
    }

    [Fact]
    public async Task Read_LongerThanAllowed_EndsThere()
    {
        using HttpContent source = new ByteArrayContent(new byte[(2 * Chunk) + 1]);

        HttpRequestException error = await Assert.ThrowsAsync<HttpRequestException>(() => PooledBody.ReadAsync(source, 2 * Chunk, CancellationToken.None));

        Assert.Equal(HttpRequestError.ConfigurationLimitExceeded, error.HttpRequestError);
    }

    [Fact]
    public async Task Disposed_ReturnsNothing()
    {
        using HttpContent source = new ByteArrayContent(new byte[Chunk]);
        PooledBody body = await PooledBody.ReadAsync(source, Chunk, CancellationToken.None).Within();
        await body.DisposeAsync();

        Assert.Equal(0, body.Read(new byte[1]));
    }

    [Fact]
    public void Page_OfAListing_AllocatesLittleForEachObject()
    {
        StringBuilder text = new("<ListBucketResult><EncodingType>url</EncodingType>");
        for (int i = 0; i < 1000; i++)
        {
            text.Append($"<Contents><Key>folder/{i:D4}.jpg</Key><LastModified>2026-11-26T01:02:03.004Z</LastModified><ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><ChecksumType>FULL_OBJECT</ChecksumType><Size>{i}</Size><StorageClass>STANDARD</StorageClass></Contents>");
        }

        byte[] bytes = Encoding.UTF8.GetBytes(text.Append("<IsTruncated>false</IsTruncated></ListBucketResult>").ToString());
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        _ = Read();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Page<ListedObject> page = Read();
        long each = (GC.GetAllocatedBytesForCurrentThread() - before) / 1000;

        ListedObject last = page.Items[999];
        Assert.Equal(
            ("folder/0999.jpg", 999, "\"d41d8cd98f00b204e9800998ecf8427e\"", new DateTimeOffset(2026, 11, 26, 1, 2, 3, 4, TimeSpan.Zero), "STANDARD"),
            (last.Key, last.Length, last.ETag, last.LastModified!.Value, last.StorageClass));

        // The object and the texts that it keeps: about 300 bytes. Code that isn't optimized yet boxes values, and takes 500.
        Assert.InRange(each, 1, 580);

        Page<ListedObject> Read() => XmlResponse.Read(
            response, new MemoryStream(bytes), "ListBucketResult", isOfRead: true, list => HttpWire.ToPage(list, new ListQuery("b", string.Empty, ReadAccess.Plain), null));
    }

    [Theory]
    [InlineData("<Contents/>")]
    [InlineData("<Contents></Contents>")]
    [InlineData("<Contents>text</Contents>")]
    [InlineData("<Contents><Key><b/>k</Key><Size>1</Size></Contents>")]
    [InlineData("<Contents><Key>k</Key><Size>x</Size></Contents>")]
    [InlineData("<Contents><Key>k</Key></Contents>")]
    [InlineData("<Contents><Key>k</Key><Size>1</Size></Contents>text")]
    public void Page_WrongRow_IsRejected(string rows) => Assert.Throws<WireException>(() => List(rows));

    [Theory]
    [InlineData("<Contents><Owner><ID>o</ID><Key>other</Key></Owner><Size> 7 </Size><Key>k</Key><Key>second</Key><Size>9</Size></Contents>")]
    [InlineData("<s:Contents xmlns:s='n'><s:Key>k</s:Key><s:Size>7</s:Size><s:LastModified>never</s:LastModified><s:ETag> </s:ETag><s:StorageClass/></s:Contents>")]
    public void Page_OtherElements_AreIgnored(string rows)
    {
        ListedObject item = Assert.Single(List(rows).Items);

        Assert.EachEqual(("k", 7, null, null, null), (item.Key, item.Length, item.ETag, item.LastModified, item.StorageClass));
    }

    [Theory]
    [InlineData("2026-11-26T01:02:03.004Z", 4)]
    [InlineData("2026-11-26T01:02:03Z", 0)]
    [InlineData("2026-11-26T03:02:03.0040+02:00", 4)]
    public void Page_TimesInAnyFormat_AreRead(string time, int milliseconds)
        => Assert.Equal(
            new DateTimeOffset(2026, 11, 26, 1, 2, 3, milliseconds, TimeSpan.Zero),
            Assert.Single(List($"<Contents><Key>k</Key><Size>1</Size><LastModified>{time}</LastModified></Contents>").Items).LastModified);

    private static Page<ListedObject> List(string rows)
    {
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        return XmlResponse.Read(
            response,
            new MemoryStream(Encoding.UTF8.GetBytes($"<ListBucketResult>{rows}<IsTruncated>false</IsTruncated></ListBucketResult>")),
            "ListBucketResult",
            isOfRead: true,
            list => HttpWire.ToPage(list, new ListQuery("b", string.Empty, ReadAccess.Plain), null));
    }
}
