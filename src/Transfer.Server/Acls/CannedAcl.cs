using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Acls;

/// <summary>The predefined access control lists. The server has one account, so only those for everyone have an effect.</summary>
internal static class CannedAcl
{
    public const string HeaderName = "x-amz-acl";
    public const string PublicRead = "public-read";
    public const string PublicReadWrite = "public-read-write";
    public const string AuthenticatedRead = "authenticated-read";
    private const string Private = "private";
    private const string OwnerFullControl = "bucket-owner-full-control";
    private static readonly string[] Names = [PublicRead, PublicReadWrite, AuthenticatedRead, "aws-exec-read", "bucket-owner-read"];

    /// <summary>Parses the header; null for a private object or bucket.</summary>
    public static string? Parse(string? text) => text switch
    {
        null or "" or Private or OwnerFullControl => null,
        _ when Names.Contains(text) => text,
        _ => throw S3Errors.InvalidArgument("The ACL you specified is invalid", HeaderName, text),
    };

    public static bool IsForReaders(string? acl) => acl is PublicRead or PublicReadWrite;

    public static bool IsForWriters(string? acl) => acl is PublicReadWrite;
}
