using System.Net;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Any XML in the response of a store, or of a server that is not a store.</summary>
public sealed class XmlAnswerFuzzTests
{
    private const string Listing =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name><Prefix>p/</Prefix><KeyCount>2</KeyCount>"
        + "<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"
        + "<Contents><Key>p/a+b</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>5</Size><Owner><ID>o</ID></Owner></Contents>"
        + "<Contents><Key>p/%C3%A9</Key><Size>0</Size></Contents><CommonPrefixes><Prefix>p/x/</Prefix></CommonPrefixes></ListBucketResult>";

    private static readonly string[] Results =
    [
        "<R><Bucket>b</Bucket><Key>k</Key><UploadId>u</UploadId></R>",
        "\n  <?xml version=\"1.0\"?><R xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Location>http://h/b/k</Location><ETag>\"e-2\"</ETag>"
            + "<ChecksumCRC64NVME>AAAAAAAAAAA=</ChecksumCRC64NVME><ChecksumType>FULL_OBJECT</ChecksumType></R>",
        "<R><ETag>e</ETag><Checksum><ChecksumCRC32C>AAAAAA==-2</ChecksumCRC32C><ChecksumType>COMPOSITE</ChecksumType></Checksum></R>",
        "<Error><Code>InternalError</Code><Message>m</Message><RequestId>r</RequestId></Error>",
    ];

    private static readonly string[] Errors =
    [
        "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>It is not there.</Message><Key>k</Key><RequestId>R1</RequestId></Error>",
        "<Error xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Code>PermanentRedirect</Code><Endpoint>b.s3.eu-west-1.amazonaws.com</Endpoint><Region>eu-west-1</Region></Error>",
        "<html><body>Not here</body></html>",
    ];

    // Inputs that have broken XML parsers.
    private static readonly string[] Words =
    [
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE a SYSTEM \"http://127.0.0.1:9/x.dtd\">", "&e;", "&#x0;", "&#55296;", "&amp;", "&lt;", "<![CDATA[x]]>",
        "<!-- c -->", "<?pi x?>", "<a>", "</a>", "<a/>", "<Contents>", "</Contents>", "<Contents/>", "<Key>", "</Key>", "<Size>", "</Size>", "<Error>", "</Error>", "<Code/>", "<Checksum>",
        " xmlns=\"x\"", " a=\"1\"", "encoding=\"utf-7\"", "encoding=\"utf-16\"", "encoding=\"nothing\"", "version=\"1.1\"", "standalone=\"yes\"", "x:", "true", "url",
    ];

    [Fact]
    public Task List_AnyBytes_IsAPageOrAWireException() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, [Listing], Words),
        bytes => AllowError(bytes, () =>
        {
            Page<ListedObject> page = List(bytes);
            Assert.All(page.Items, item => Assert.True(item.Key.Length > 0 && item.Length >= 0));
            Assert.NotEqual(string.Empty, page.Next?.Marker.Token);
        }));

    [Fact]
    public Task List_ValidPage_IsParsedCompletely() => Fuzzer.CheckAsync(
        random => (Document: NewPage(random, out ListedObject[] objects, out string? next), Objects: objects, Next: next),
        page =>
        {
            Page<ListedObject> read = List(Encoding.UTF8.GetBytes(page.Document));

            Assert.Equal(WithoutRepetitions(page.Objects), read.Items);
            Assert.Equal(page.Next, read.Next?.Marker.Token);
        });

    [Fact]
    public Task List_TruncatedAnywhere_IsRejected() => Fuzzer.TextAsync(
        random => Listing[..random.Next(Listing.Length)],
        text => Assert.Throws<WireException>(() => List(Encoding.UTF8.GetBytes(text))));

    [Fact]
    public Task Result_AnyBytes_IsAResultOrAWireException() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, Results, Words),
        bytes => AllowError(bytes, () =>
        {
            using HttpResponseMessage response = new(HttpStatusCode.OK);
            (string? uploadId, string? etag, StoredChecksum? checksum) = Result(response, bytes);
            Assert.NotEqual(string.Empty, uploadId);
            Assert.NotEqual(string.Empty, etag);
            Assert.NotEqual(string.Empty, checksum?.Value);
        }));

    [Fact]
    public Task Result_TruncatedAnywhere_IsRejected() => Fuzzer.TextAsync(
        random => Results[random.Next(Results.Length)] is { } whole ? whole[..random.Next(whole.Length)] : string.Empty,
        text =>
        {
            using HttpResponseMessage response = new(HttpStatusCode.OK);
            Assert.Throws<WireException>(() => Result(response, Encoding.UTF8.GetBytes(text)));
        });

    [Fact]
    public Task Error_AnyBody_IsAWireExceptionWithItsStatus() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, Errors, Words),
        bytes =>
        {
            using HttpResponseMessage response = new(HttpStatusCode.BadGateway) { Content = new ByteArrayContent(bytes) };
            ValueTask<WireException> reading = new(HttpErrors.ReadAsync(response, TimeProvider.System, CancellationToken.None));
            Assert.True(reading.IsCompletedSuccessfully);
#pragma warning disable VSTHRD002 // the task is complete
            WireException error = reading.Result;
#pragma warning restore VSTHRD002
            Assert.Equal(HttpStatusCode.BadGateway, error.StatusCode);
            Assert.NotEqual(string.Empty, error.ErrorCode);
            Assert.NotEmpty(error.Message);
        });

    [Theory]
    [InlineData("<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>")]
    [InlineData("<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>")]
    [InlineData("<!DOCTYPE r SYSTEM \"http://127.0.0.1:9/x.dtd\">")]
    [InlineData("<!DOCTYPE r>")]
    public void Read_DocumentType_IsRejected(string documentType)
    {
        Assert.Throws<WireException>(() => List(Encoding.UTF8.GetBytes(documentType + "<ListBucketResult/>")));
        Assert.Throws<XmlException>(() => HttpErrors.Parse(Encoding.UTF8.GetBytes(documentType + "<Error/>")));
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        Assert.Throws<WireException>(() => Result(response, Encoding.UTF8.GetBytes(documentType + "<R><UploadId>u</UploadId></R>")));
    }

    [Theory]
    [InlineData("<ListBucketResult>")]
    [InlineData("<ListBucketResult><Contents><Key>k</Key><Size>1</Size>")]
    [InlineData("<Error>")]
    [InlineData("<R><Checksum>")]
    public void Read_TooDeeplyNested_IsRejectedBeforeItUsesMemory(string start)
    {
        byte[] body = Encoding.ASCII.GetBytes(start + string.Concat(Enumerable.Repeat("<a>", 20_000)));
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        long before = GC.GetAllocatedBytesForCurrentThread();

        WireException error = start.StartsWith("<List", StringComparison.Ordinal)
            ? Assert.Throws<WireException>(() => List(body))
            : Assert.Throws<WireException>(() => Result(response, body));

        Assert.IsType<XmlException>(error.InnerException);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    private static IEnumerable<ListedObject> WithoutRepetitions(ListedObject[] objects) => objects.Where((item, i) => i == 0 || item.Key != objects[i - 1].Key);

    private static Page<ListedObject> List(byte[] body)
    {
        using HttpResponseMessage response = new(HttpStatusCode.OK);
        return XmlResponse.Read(response, new MemoryStream(body), "ListBucketResult", isOfRead: true, list => HttpWire.ToPage(list, new ListQuery("b", string.Empty, ReadAccess.Plain), null));
    }

    private static (string? UploadId, string? ETag, StoredChecksum? Checksum) Result(HttpResponseMessage response, byte[] body)
        => XmlResponse.Read(response, new MemoryStream(body), "R", isOfRead: false, static result => (result.Text("UploadId"), result.ETag, result.Checksum));

    private static void AllowError(byte[] bytes, Action read)
    {
        try
        {
            read();
        }
        catch (WireException)
        {
            // Only this exception is allowed. Readers have no resolver, so no document type in malformed input was followed.
        }

        if (Encoding.UTF8.GetString(bytes).TrimStart().StartsWith("<!DOCTYPE", StringComparison.Ordinal))
        {
            Assert.Throws<WireException>(read);
        }
    }

    /// <summary>Creates a page with its elements in random order, and with unknown elements between them.</summary>
    private static string NewPage(Random random, out ListedObject[] objects, out string? next)
    {
        bool encoded = random.Next(2) == 0;
        objects = [.. Enumerable.Range(0, random.Next(6)).Select(_ => new ListedObject { Key = NewKey(random, encoded), Length = Math.Abs(Mutation.Number(random)) % (Sizes.MaxObject + 1), ETag = random.Next(2) == 0 ? "\"e\"" : null, StorageClass = "STANDARD" })];
        next = random.Next(2) == 0 ? NewKey(random, encoded: false) : null;
        List<XElement> elements =
        [
            .. objects.Select(item => new XElement("Contents", Mixed(random,
                [
                    new XElement("Key", encoded ? WebUtility.UrlEncode(item.Key) : item.Key),
                    new XElement("Size", item.Length),
                    .. item.ETag is null ? (XElement[])[] : [new XElement("ETag", item.ETag)],
                    new XElement("StorageClass", "STANDARD"),
                    new XElement("Owner", new XElement("ID", new XElement("deeper", "x"))),
                ]))),
        ];
        XElement[] rest =
        [
            new XElement("IsTruncated", next is not null), new XElement("Name", "b"), .. encoded ? (XElement[])[new XElement("EncodingType", "url")] : [],
            .. next is null ? (XElement[])[] : [new XElement("NextContinuationToken", next)],
        ];
        foreach (XElement element in rest)
        {
            elements.Insert(random.Next(elements.Count + 1), element); // objects keep their order
        }

        return new XDocument(new XElement("ListBucketResult", Between(random, elements))).ToString(random.Next(2) == 0 ? SaveOptions.None : SaveOptions.DisableFormatting);
    }

    private static object[] Mixed(Random random, XElement[] elements)
    {
        random.Shuffle(elements);
        return Between(random, elements);
    }

    private static object[] Between(Random random, IReadOnlyList<XElement> elements) => [.. elements.SelectMany(element => random.Next(8) switch
    {
        0 => (object[])[new XComment("c"), element],
        1 => [new XProcessingInstruction("p", "i"), element],
        _ => [element],
    })];

    /// <summary>Creates a key without characters that XML can't hold, unless the key is URL-encoded.</summary>
    private static string NewKey(Random random, bool encoded)
    {
        string key = string.Concat(Mutation.Noise(random).EnumerateRunes().Where(rune => encoded || (rune.Value <= 0xFFFF && XmlConvert.IsXmlChar((char)rune.Value) && rune.Value != '\r')));
        return "k" + (encoded ? key : key.Trim());
    }
}
