using Transfer.S3.Server.Replay;

namespace Transfer.S3.Tests.Server;

public sealed class RecordedContentTests
{
    private const string Md5 = "0123456789abcdef0123456789ABCDEF";

    [Theory]
    [InlineData($"\"{Md5}\"", $"\"{Md5}-1\"")]
    [InlineData(Md5, $"\"{Md5}-1\"")]
    [InlineData($"&quot;{Md5}&#34;", $"\"{Md5}-1\"")]
    [InlineData($"\"{Md5}-2\"", $"\"{Md5}-2\"")]
    [InlineData("\"opaque\"", "\"opaque\"")]
    [InlineData("", "")]
    public void ETag_LooksLikeAnMd5_GetsASuffix(string etag, string expected) => Assert.Equal(expected, RecordedContent.ETag(etag));

    [Theory]
    [InlineData("", "")]
    [InlineData("<a/>", "<a/>")]
    [InlineData($"<a><ETag>&quot;{Md5}&quot;</ETag><ETag>\"x\"</ETag></a>", $"<a><ETag>&quot;{Md5}-1&quot;</ETag><ETag>&quot;x&quot;</ETag></a>")]
    [InlineData("<a><ChecksumCRC64NVME>AA==</ChecksumCRC64NVME><ChecksumType>FULL_OBJECT</ChecksumType><ChecksumSHA256>B</ChecksumSHA256></a>", "<a><ChecksumType>FULL_OBJECT</ChecksumType></a>")]
    [InlineData("<ETag>", "<ETag>")]
    public void Document_HasNoSumsOfContent(string document, string expected) => Assert.Equal(expected, RecordedContent.Document(document));
}
