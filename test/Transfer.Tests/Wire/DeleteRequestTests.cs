using System.Net;
using System.Security.Cryptography;
using System.Xml.Linq;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The requests that delete objects, and what their responses mean, on both wires.</summary>
public sealed class DeleteRequestTests
{
    public static TheoryData<TransferWire> Wires => [TransferWire.Http, TransferWire.Sdk];

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Batch_HasAllKeysAndConditions(TransferWire choice)
    {
        ObjectDeletion[] sent = [new("a<&>\"'é😀"), new("b  c", "\"e\""), new("d", null, "v1")];

        byte[] body = [];
        byte[]? md5 = null;
        FakeHttp http = new(request =>
        {
            using MemoryStream copy = new();
            request.Content!.ReadAsStream().CopyTo(copy);
            (body, md5) = (copy.ToArray(), request.Content.Headers.ContentMD5);
            return FakeHttp.Answer(HttpStatusCode.OK, ResultOf(string.Empty));
        });

        Assert.Empty(await SendAsync(choice, sent, http));
        HttpRequestMessage request = Assert.Single(http.Requests);
        XElement root = XDocument.Load(new MemoryStream(body), LoadOptions.PreserveWhitespace).Root!;
        XNamespace ns = root.Name.Namespace;
        Assert.Equal(sent, root.Elements(ns + "Object").Select(item => new ObjectDeletion(item.Element(ns + "Key")!.Value, item.Element(ns + "ETag")?.Value, item.Element(ns + "VersionId")?.Value)));
        Assert.Equal("true", root.Element(ns + "Quiet")!.Value);
        Assert.StartsWith("?delete", request.RequestUri!.Query, StringComparison.Ordinal);
        Assert.True(FakeHttp.Header(request, "x-amz-checksum-crc32") is not null
#pragma warning disable CA5351 // what S3 requires
            || md5!.SequenceEqual(MD5.HashData(body)));
#pragma warning restore CA5351
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Batch_ErrorsAreThoseOfTheirKeys(TransferWire choice)
    {
        const string errors = "<Error><Key>a</Key><Code>AccessDenied</Code><Message>no</Message></Error>"
            + "<Error><Key>b</Key><VersionId>v1</VersionId><Code>SlowDown</Code></Error><Error><Key>c</Key><Code>PreconditionFailed</Code></Error>";

        IReadOnlyList<RefusedDeletion> refused = await SendAsync(choice, [new("a")], new FakeHttp(_ => FakeHttp.Answer(HttpStatusCode.OK, ResultOf(errors))));

        Assert.Equal(
            [("a", null, FailureKind.Final), ("b", "v1", FailureKind.Throttled), ("c", null, FailureKind.PreconditionFailed)],
            refused.Select(one => (one.Key, one.VersionId, one.Error.Kind)));
    }

    [Theory]
    [InlineData(TransferWire.Http, "<html><body>Log in</body></html>", "text/html", false)]
    [InlineData(TransferWire.Http, "", "application/xml", true)]
    [InlineData(TransferWire.Http, "<DeleteResult><Error><Key>a</Key>", "application/xml", true)]
    [InlineData(TransferWire.Http, "<DeleteResult><Error><Code>AccessDenied</Code></Error></DeleteResult>", "application/xml", true)]
    [InlineData(TransferWire.Http, "<ListBucketResult/>", "application/xml", true)]
    [InlineData(TransferWire.Sdk, "<html><body>Log in</body></html>", "text/html", false)]
    [InlineData(TransferWire.Sdk, "<DeleteResult><Error><Code>AccessDenied</Code></Error></DeleteResult>", "application/xml", true)]
    public async Task Batch_OtherResponse_IsNoSuccess(TransferWire choice, string body, string type, bool isOfStore)
    {
        HttpResponseMessage response = FakeHttp.Answer(HttpStatusCode.OK, body, type);
        if (!isOfStore)
        {
            response.Headers.Remove("x-amz-request-id");
        }

        WireException e = await Assert.ThrowsAsync<WireException>(() => SendAsync(choice, [new("a"), new("b")], new FakeHttp(_ => response)));

        Assert.True(e.Kind is FailureKind.Transient or FailureKind.NotStore, e.Message);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Batch_ErrorWithStatus200_IsThatError(TransferWire choice)
    {
        WireException e = await Assert.ThrowsAsync<WireException>(() => SendAsync(
            choice, [new("a")], new FakeHttp(_ => FakeHttp.Answer(HttpStatusCode.OK, "<Error><Code>InternalError</Code><Message>later</Message></Error>"))));

        Assert.True(e.Kind is FailureKind.Transient or FailureKind.NotStore, e.Message);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task One_HasItsConditionAndVersion(TransferWire choice)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.NoContent, headers: [("x-amz-version-id", "v2"), ("x-amz-delete-marker", "true")]));
        using FakeWires wires = new(http, choice);

        DeletedObject deleted = await wires.For(FakeHttp.Bucket).DeleteObjectAsync(new ObjectAddress(FakeHttp.Bucket, "a/\u0001 +"), "\"e\"", default).Within();

        Assert.Equal(new DeletedObject("v2", IsDeleteMarker: true), deleted);
        HttpRequestMessage request = Assert.Single(http.Requests);
        Assert.EachEqual((HttpMethod.Delete, "\"e\""), (request.Method, FakeHttp.Header(request, "If-Match")));
        Assert.EndsWith("/a/%01%20%2B", request.RequestUri!.AbsolutePath, StringComparison.Ordinal);
        await wires.For(FakeHttp.Bucket).DeleteObjectAsync(new ObjectAddress(FakeHttp.Bucket, "a", "v=1"), null, default).Within();
        Assert.Contains("versionId=v%3D1", http.Requests.Last().RequestUri!.Query, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task One_WebPage_IsNoSuccess(TransferWire choice)
    {
        FakeHttp http = new(_ => new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent("<html/>") });
        using FakeWires wires = new(http, choice);

        WireException e = await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).DeleteObjectAsync(new ObjectAddress(FakeHttp.Bucket, "a"), null, default).Within());

        Assert.Equal(FailureKind.Transient, e.Kind);
    }

    [Theory]
    [InlineData("plain", true)]
    [InlineData("a/b c&<>\"'é😀", true)]
    [InlineData("\u0000", false)]
    [InlineData("a\tb", false)]
    [InlineData("a\u007f", false)]
    [InlineData("a\u2028b", false)]
    [InlineData("a\uffff", false)]
    [InlineData(" a", false)]
    [InlineData("a\u00a0", false)]
    [InlineData("", false)]
    public void Accepts_OnlyKeysThatXmlKeeps(string key, bool isAccepted) => Assert.Equal(isAccepted, DeletionBatch.Accepts(new ObjectDeletion(key)));

    [Fact]
    public void Batch_IsLimitedInObjectsAndBytes()
    {
        DeletionBatch many = new();
        Assert.All(Enumerable.Range(0, 1000), i => Assert.True(many.TryAdd(new ObjectDeletion(new string('k', 1000) + i))));
        Assert.False(many.TryAdd(new ObjectDeletion("k")));

        DeletionBatch large = new();
        while (large.TryAdd(new ObjectDeletion(new string('&', 1024))))
        {
        }

        Assert.InRange(large.Objects.Count, 200, 999);
    }

    private static string ResultOf(string content) => $"<DeleteResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{content}</DeleteResult>";

    private static async Task<IReadOnlyList<RefusedDeletion>> SendAsync(TransferWire choice, ObjectDeletion[] objects, FakeHttp http)
    {
        using FakeWires wires = new(http, choice);
        return await wires.For(FakeHttp.Bucket).DeleteObjectsAsync(FakeHttp.Bucket, objects, ReadAccess.Plain, default).Within();
    }
}
