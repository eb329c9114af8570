using Transfer.S3.Integrity;

namespace Transfer.S3.Verify;

/// <summary>Compares the ETags of two objects.</summary>
internal static class SameTags
{
    /// <summary>Returns whether two ETags are the same MD5, or one is that of an object that was copied as a single part from the other one.</summary>
    public static bool AreEvidence(string? source, string? target)
    {
        string? one = Md5Tag.Read(source);
        string? other = Md5Tag.Read(target);
        return one is not null && other is not null && (one == other
            || (Md5Tag.GetPartCount(target) == 1 && Md5Tag.GetPartCount(source) is null && Md5Tag.OfParts([source]) == other)
            || (Md5Tag.GetPartCount(source) == 1 && Md5Tag.GetPartCount(target) is null && Md5Tag.OfParts([target]) == one));
    }
}
