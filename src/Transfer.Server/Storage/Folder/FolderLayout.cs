using System.Security.Cryptography;
using System.Text;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>
/// The layout of a server's directory. <c>data/</c> contains the content, with one randomly named file for each upload or part. <c>buckets/</c>
/// contains a small JSON record for each object and part, which lists its data files. <c>staging/</c> contains unpublished records.
/// </summary>
internal sealed class FolderLayout(string root)
{
    public const string RecordExtension = ".json";
    private const string BucketFile = "bucket" + RecordExtension;
    private const string UploadFile = "upload" + RecordExtension;
    private const int IdLength = 32;
    private const int LongestName = 200; // file systems allow 255 bytes

    public string LockFile => Path.Combine(root, "lock");

    public string Staging => Path.Combine(root, "staging");

    public string Buckets => Path.Combine(root, "buckets");

    public string Data => Path.Combine(root, "data");

    public void Create()
    {
        Directory.CreateDirectory(Staging);
        Directory.CreateDirectory(Buckets);
        Directory.CreateDirectory(Data);
    }

    /// <summary>Gets the path of a data file. Subdirectories named by the first two digits of the ID keep directories small.</summary>
    public string DataFile(string id) => Path.Combine(Data, id[..2], id);

    public string NewStagingFile() => Path.Combine(Staging, NewId());

    public string Bucket(string bucket) => Path.Combine(Buckets, bucket);

    public string BucketRecord(string bucket) => Path.Combine(Bucket(bucket), BucketFile);

    public string Objects(string bucket) => Path.Combine(Bucket(bucket), "objects");

    public string ObjectRecord(string bucket, string key) => Path.Combine(Objects(bucket), FileName(key) + RecordExtension);

    public string Uploads(string bucket) => Path.Combine(Bucket(bucket), "uploads");

    public string Upload(string bucket, string uploadId) => Path.Combine(Uploads(bucket), uploadId);

    public string UploadRecord(string bucket, string uploadId) => Path.Combine(Upload(bucket, uploadId), UploadFile);

    public string PartRecord(string bucket, string uploadId, int number) => Path.Combine(Upload(bucket, uploadId), $"{number:D5}{RecordExtension}");

    public static bool IsPartRecord(string path) => char.IsAsciiDigit(Path.GetFileName(path)[0]);

    public static string NewId() => RandomNumberGenerator.GetHexString(IdLength, lowercase: true);

    /// <summary>Returns a value that indicates whether a string has the format of <see cref="NewId"/>.</summary>
    public static bool IsId(string? text) => text is { Length: IdLength } && text.All(char.IsAsciiHexDigitLower);

    /// <summary>Gets a file name for any key. It has no separators or leading dots, and is unique even in case-insensitive file systems.</summary>
    public static string FileName(string key)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(key);
        var name = new StringBuilder(bytes.Length + 16);
        foreach (byte value in bytes)
        {
            char c = (char)value;
            bool isPlain = char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '_' || (c == '.' && name.Length > 0);
            _ = isPlain ? name.Append(c) : name.Append('%').Append(value.ToString("x2"));
            if (name.Length > LongestName)
            {
                return "~" + Convert.ToHexStringLower(SHA256.HashData(bytes)); // the record contains the key
            }
        }

        return name.ToString();
    }
}
