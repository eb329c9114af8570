using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>Validates arguments as the AWS SDK does, with its exceptions and messages.</summary>
internal static class RequestChecks
{
    public static TransferUtilityUploadRequest CreateUpload(string filePath, string bucketName, string? key)
        => string.IsNullOrEmpty(filePath)
            ? throw new ArgumentNullException(nameof(filePath))
            : new TransferUtilityUploadRequest { BucketName = bucketName, Key = key, FilePath = filePath };

    public static TransferUtilityUploadRequest CreateUpload(Stream stream, string bucketName, string key)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return string.IsNullOrEmpty(key)
            ? throw new ArgumentNullException(nameof(key))
            : new TransferUtilityUploadRequest { BucketName = bucketName, Key = key, InputStream = stream };
    }

    /// <summary>Validates an upload. If it has no key, the name of the file becomes the key.</summary>
    public static void Check(TransferUtilityUploadRequest request)
    {
        bool hasPath = !string.IsNullOrEmpty(request.FilePath);
        if (string.IsNullOrEmpty(request.BucketName))
        {
            throw new InvalidOperationException("Please specify BucketName to PUT an object into Amazon S3.");
        }

        if (!hasPath && request.InputStream is null)
        {
            throw new InvalidOperationException("Please specify either a Filename or provide a Stream to PUT an object into Amazon S3.");
        }

        if (string.IsNullOrEmpty(request.Key))
        {
            request.Key = hasPath
                ? Path.GetFileName(request.FilePath)
                : throw new ArgumentException("The Key property must be specified when using a Stream to upload into Amazon S3.", (string?)null);
        }

        if (hasPath && !File.Exists(request.FilePath))
        {
            throw new ArgumentException("The file indicated by the FilePath property does not exist!", (string?)null);
        }
    }

    public static void Check(TransferUtilityDownloadRequest request)
    {
        Require(request.BucketName, "The BucketName specified is null or empty!");
        Require(request.Key, "The Key specified is null or empty!");
        RequirePath(request.FilePath);
    }

    public static void Check(TransferUtilityUploadDirectoryRequest request)
    {
        Require(request.Directory, "Directory not specified");
        Require(request.BucketName, "BucketName not specified");
        if (!Directory.Exists(request.Directory))
        {
            throw new InvalidOperationException($"The directory {request.Directory} does not exists!");
        }
    }

    public static void Check(TransferUtilityDownloadDirectoryRequest request)
    {
        Require(request.BucketName, "The bucketName Specified is null or empty!");
        Require(request.S3Directory, "The S3Directory Specified is null or empty!");
        Require(request.LocalDirectory, "The LocalDirectory Specified is null or empty!");
        if (File.Exists(request.S3Directory))
        {
            throw new InvalidOperationException("A file already exists with the same name indicated by LocalDirectory!"); // an error in the SDK, which checks for the opposite
        }
    }

    /// <summary>Validates a request for a stream with a response.</summary>
    public static void CheckWithResponse(TransferUtilityOpenStreamRequest request)
    {
        RequireProperty(request.BucketName, nameof(request.BucketName));
        RequireProperty(request.Key, nameof(request.Key));
    }

    /// <summary>Validates a request for a stream without a response.</summary>
    public static void Check(TransferUtilityOpenStreamRequest request)
    {
        Require(request.BucketName, "The bucketName Specified is null or empty!");
        Require(request.Key, "The key Specified is null or empty!");
    }

    /// <summary>Returns whether the name of the bucket is an ARN: that of an access point, or one that the SDK rejects.</summary>
    public static bool IsArn(string? bucket) => bucket?.StartsWith("arn:", StringComparison.Ordinal) == true;

    private static void Require(string? value, string message)
    {
        if (string.IsNullOrEmpty(value))
        {
            throw new InvalidOperationException(message);
        }
    }

    private static void RequirePath(string? destinationFilePath)
    {
        if (string.IsNullOrEmpty(destinationFilePath))
        {
            throw new ArgumentException("Destination file path cannot be null or empty", nameof(destinationFilePath));
        }
    }

    private static void RequireProperty(string? value, string name)
    {
        if (string.IsNullOrEmpty(value))
        {
            throw new ArgumentException($"{name} is a required property and must be set before making this call.", "GetObjectRequest." + name);
        }
    }
}
