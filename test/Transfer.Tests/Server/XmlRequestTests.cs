using System.Text;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;

namespace Transfer.S3.Tests.Server;

public sealed class XmlRequestTests
{
    [Theory]
    [InlineData("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{0}</CompleteMultipartUpload>")]
    [InlineData("<?xml version=\"1.0\"?>\n<CompleteMultipartUpload>\n{0}\n</CompleteMultipartUpload>\n")]
    public void Parse_Parts_AcceptsNamespacesAndWhitespace(string document)
    {
        string body = string.Format(
            document,
            "<Part><PartNumber>1</PartNumber><ETag>&quot;AB&quot;</ETag><ChecksumCRC32>y/Q5Jg==</ChecksumCRC32></Part>\n"
            + "<Part><ETag>cd</ETag>\n<PartNumber>7</PartNumber></Part>");

        List<CompletionPart> parts = CompletionPart.Parse(Encoding.UTF8.GetBytes(body), "u");

        Assert.Equal([1, 7], parts.Select(static part => part.Number));
        Assert.Equal(["AB", "cd"], parts.Select(static part => part.ETag));
        Assert.Equal("y/Q5Jg==", Assert.Single(parts[0].Checksums).Value);
    }

    [Theory]
    [InlineData("", "MalformedXML")]
    [InlineData("<CompleteMultipartUpload/>", "MalformedXML")]
    [InlineData("<CompleteMultipartUpload>", "MalformedXML")]
    [InlineData("<Other><Part><PartNumber>1</PartNumber><ETag>a</ETag></Part></Other>", "MalformedXML")]
    [InlineData("<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>", "MalformedXML")]
    [InlineData("<CompleteMultipartUpload><PartNumber>1</PartNumber></CompleteMultipartUpload>", "MalformedXML")]
    [InlineData("<CompleteMultipartUpload><Part><PartNumber>0</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>", "InvalidArgument")]
    [InlineData("<CompleteMultipartUpload><Part><PartNumber>10001</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>", "InvalidArgument")]
    [InlineData("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><CompleteMultipartUpload>&e;</CompleteMultipartUpload>", "MalformedXML")]
    public void Parse_AnythingElse_IsRejected(string body, string code) =>
        Assert.Equal(code, Assert.Throws<S3Exception>(() => CompletionPart.Parse(Encoding.UTF8.GetBytes(body), "u")).Code);

    [Theory]
    [InlineData(2, 1)]
    [InlineData(2, 2)]
    public void Parse_PartsNotAscending_IsInvalidPartOrder(int first, int second)
    {
        string body = $"<CompleteMultipartUpload><Part><PartNumber>{first}</PartNumber><ETag>a</ETag></Part>"
            + $"<Part><PartNumber>{second}</PartNumber><ETag>b</ETag></Part></CompleteMultipartUpload>";

        Assert.Equal("InvalidPartOrder", Assert.Throws<S3Exception>(() => CompletionPart.Parse(Encoding.UTF8.GetBytes(body), "u")).Code);
    }
}
