using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Tests.Server;

public sealed class OperationRouterTests
{
    [Theory]
    [InlineData("GET", "/", "ListBuckets")]
    [InlineData("GET", "/bucket", "ListObjects")]
    [InlineData("GET", "/bucket/?list-type=2", "ListObjectsV2")]
    [InlineData("GET", "/bucket?location", "GetBucketLocation")]
    [InlineData("GET", "/bucket?uploads", "ListMultipartUploads")]
    [InlineData("GET", "/bucket?versions", "ListObjectVersions")]
    [InlineData("GET", "/bucket?versioning", "GetBucketVersioning")]
    [InlineData("PUT", "/bucket?versioning", "PutBucketVersioning")]
    [InlineData("GET", "/bucket?acl", "GetBucketAcl")]
    [InlineData("GET", "/bucket?cors", "GetBucketCors")]
    [InlineData("GET", "/bucket?tagging", "GetBucketTagging")]
    [InlineData("GET", "/bucket?object-lock", "GetObjectLockConfiguration")]
    [InlineData("PUT", "/bucket/k?acl", "PutObjectAcl")]
    [InlineData("PUT", "/bucket/k?retention", "PutObjectRetention")]
    [InlineData("PUT", "/bucket/k?legal-hold&versionId=null", "PutObjectLegalHold")]
    [InlineData("OPTIONS", "/bucket", "Preflight")]
    [InlineData("OPTIONS", "/bucket/k?partNumber=1&uploadId=u&tagging", "Preflight")]
    [InlineData("HEAD", "/bucket", "HeadBucket")]
    [InlineData("PUT", "/bucket", "CreateBucket")]
    [InlineData("DELETE", "/bucket", "DeleteBucket")]
    [InlineData("POST", "/bucket?delete", "DeleteObjects")]
    [InlineData("GET", "/bucket/k?response-expires=x&x-id=GetObject&unknown", "GetObject")]
    [InlineData("GET", "/bucket/k?versionId=null", "GetObject")]
    [InlineData("GET", "/bucket/k?versionId=0000000000000000000000000000000f", "GetObject")]
    [InlineData("GET", "/bucket/k?attributes", "GetObjectAttributes")]
    [InlineData("GET", "/bucket/k?tagging", "GetObjectTagging")]
    [InlineData("PUT", "/bucket/k?tagging", "PutObjectTagging")]
    [InlineData("DELETE", "/bucket/k?tagging", "DeleteObjectTagging")]
    [InlineData("GET", "/bucket/k?uploadId=u", "ListParts")]
    [InlineData("HEAD", "/bucket/k", "HeadObject")]
    [InlineData("PUT", "/bucket/k", "PutObject")]
    [InlineData("PUT", "/bucket/k?partNumber=1&uploadId=u", "UploadPart")]
    [InlineData("POST", "/bucket/k?uploads", "CreateMultipartUpload")]
    [InlineData("POST", "/bucket/k?uploadId=u", "CompleteMultipartUpload")]
    [InlineData("DELETE", "/bucket/k?uploadId=u", "AbortMultipartUpload")]
    [InlineData("DELETE", "/bucket/k", "DeleteObject")]
    public void Resolve_Request_IsItsOperation(string method, string rawTarget, string operation) =>
        Assert.Equal(operation, Resolve(method, rawTarget).ToString());

    [Theory]
    [InlineData("/bucket/k", "CopyObject")]
    [InlineData("/bucket/k?partNumber=1&uploadId=u", "UploadPartCopy")]
    public void Resolve_CopySource_IsACopy(string rawTarget, string operation) =>
        Assert.Equal(operation, Resolve("PUT", rawTarget, "x-amz-copy-source").ToString());

    [Theory]
    [InlineData("PUT", "/bucket?policy", "NotImplemented")]
    [InlineData("PUT", "/bucket?lifecycle", "NotImplemented")]
    [InlineData("PUT", "/bucket?website", "NotImplemented")]
    [InlineData("GET", "/bucket?ownershipControls", "NotImplemented")]
    [InlineData("GET", "/bucket?replication", "NotImplemented")]
    [InlineData("POST", "/bucket", "NotImplemented")]
    [InlineData("POST", "/bucket/k?select&select-type=2", "NotImplemented")]
    [InlineData("GET", "/bucket/k?uploadId=u&tagging", "NotImplemented")]
    [InlineData("PUT", "/", "MethodNotAllowed")]
    [InlineData("OPTIONS", "/", "MethodNotAllowed")]
    [InlineData("PUT", "/bucket/k?partNumber=1", "InvalidRequest")]
    [InlineData("GET", "/bucket/k?versionId=1", "InvalidArgument")]
    [InlineData("GET", "/bucket?list-type=3", "InvalidArgument")]
    [InlineData("GET", "/B_d", "InvalidBucketName")]
    public void Resolve_AnythingElse_IsAnError(string method, string rawTarget, string code) =>
        Assert.Equal(code, Assert.Throws<S3Exception>(() => Resolve(method, rawTarget)).Code);

    [Fact]
    public void Resolve_Key_MayHave1024Bytes()
    {
        Assert.Equal(S3Operation.GetObject, Resolve("GET", "/bucket/" + new string('k', 1024)));
        Assert.Equal("KeyTooLongError", Assert.Throws<S3Exception>(() => Resolve("GET", "/bucket/" + new string('k', 1025))).Code);
    }

    private static S3Operation Resolve(string method, string rawTarget, params string[] headers)
    {
        var dictionary = new HeaderDictionary();
        foreach (string header in headers)
        {
            dictionary[header] = "x";
        }

        return OperationRouter.Resolve(method, RequestTarget.Parse(rawTarget, "127.0.0.1"), dictionary);
    }
}
