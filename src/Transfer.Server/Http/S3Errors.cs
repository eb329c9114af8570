using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>The errors of the S3 protocol, with the status codes and messages of Amazon S3.</summary>
internal static class S3Errors
{
    public static S3Exception AccessControlListNotSupported() =>
        new(400, "AccessControlListNotSupported", "The bucket does not allow ACLs");

    public static S3Exception AccessDenied(string message = "Access Denied", params KeyValuePair<string, string>[] details) =>
        new(403, "AccessDenied", message, details);

    public static S3Exception AccessForbidden(string message) => new(403, "AccessForbidden", message);

    public static S3Exception AuthorizationHeaderMalformed(string message, params KeyValuePair<string, string>[] details) =>
        new(400, "AuthorizationHeaderMalformed", $"The authorization header is malformed; {message}", details);

    public static S3Exception AuthorizationQueryParametersError(string message) => new(400, "AuthorizationQueryParametersError", message);

    public static S3Exception BadDigest(string what, string expected, string calculated) =>
        new(
            400,
            "BadDigest",
            $"The {what} you specified did not match what we received.",
            new("ExpectedDigest", expected),
            new("CalculatedDigest", calculated));

    public static S3Exception BadRequest(string message) => new(400, "BadRequest", message);

    public static S3Exception BucketAlreadyOwnedByYou(string bucket) =>
        new(
            409,
            "BucketAlreadyOwnedByYou",
            "Your previous request to create the named bucket succeeded and you already own it.",
            new KeyValuePair<string, string>("BucketName", bucket));

    public static S3Exception BucketNotEmpty(string bucket) =>
        new(409, "BucketNotEmpty", "The bucket you tried to delete is not empty", new KeyValuePair<string, string>("BucketName", bucket));

    public static S3Exception EntityTooLarge(long proposed, long maximum) =>
        new(
            400,
            "EntityTooLarge",
            "Your proposed upload exceeds the maximum allowed size",
            new("ProposedSize", proposed.ToString()),
            new("MaxSizeAllowed", maximum.ToString()));

    public static S3Exception EntityTooSmall(StoredPart part) =>
        new(
            400,
            "EntityTooSmall",
            "Your proposed upload is smaller than the minimum allowed size",
            new("ProposedSize", part.Size.ToString()),
            new("MinSizeAllowed", ServerDefaults.MinimumPartBytes.ToString()),
            new("PartNumber", part.Number.ToString()),
            new("ETag", part.ETag));

    public static S3Exception ExpiredToken() => new(400, "ExpiredToken", "The provided token has expired.");

    public static S3Exception FileTooSmall(long proposed, long minimum) =>
        new(
            400,
            "EntityTooSmall",
            "Your proposed upload is smaller than the minimum allowed size",
            new("ProposedSize", proposed.ToString()),
            new("MinSizeAllowed", minimum.ToString()));

    public static S3Exception IllegalLocationConstraint(string location) =>
        new(
            400,
            "IllegalLocationConstraintException",
            $"The {location} location constraint is incompatible for the region specific endpoint this request was sent to.");

    public static S3Exception IncompleteBody() =>
        new(400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header");

    public static S3Exception InternalError(int status = 500) => new(status, "InternalError", "We encountered an internal error. Please try again.");

    public static S3Exception InvalidAccessKeyId(string accessKeyId) =>
        new(
            403,
            "InvalidAccessKeyId",
            "The AWS Access Key Id you provided does not exist in our records.",
            new KeyValuePair<string, string>("AWSAccessKeyId", accessKeyId));

    public static S3Exception InvalidArgument(string message, string name, string? value) =>
        new(400, "InvalidArgument", message, new("ArgumentName", name), new("ArgumentValue", value ?? string.Empty));

    public static S3Exception InvalidBucketName(string bucket) =>
        new(400, "InvalidBucketName", "The specified bucket is not valid.", new KeyValuePair<string, string>("BucketName", bucket));

    public static S3Exception InvalidDigest(string value) =>
        new(400, "InvalidDigest", "The Content-MD5 you specified was invalid.", new KeyValuePair<string, string>("Content-MD5", value));

    public static S3Exception InvalidBucketState(string message) => new(409, "InvalidBucketState", message);

    public static S3Exception InvalidPart(string uploadId, int partNumber, string? etag) =>
        new(
            400,
            "InvalidPart",
            "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not "
            + "match the part's entity tag.",
            new("UploadId", uploadId),
            new("PartNumber", partNumber.ToString()),
            new("ETag", etag ?? string.Empty));

    public static S3Exception InvalidPartNumber(int partNumber, int parts) =>
        new(
            416,
            "InvalidPartNumber",
            "The requested partnumber is not satisfiable",
            new("PartNumberRequested", partNumber.ToString()),
            new("ActualPartCount", parts.ToString()));

    public static S3Exception InvalidPartOrder(string uploadId) =>
        new(
            400,
            "InvalidPartOrder",
            "The list of parts was not in ascending order. Parts must be ordered by part number.",
            new KeyValuePair<string, string>("UploadId", uploadId));

    public static S3Exception InvalidPolicyDocument(string message) => new(400, "InvalidPolicyDocument", $"Invalid Policy: {message}");

    public static S3Exception InvalidRange(string range, long size) =>
        new(416, "InvalidRange", "The requested range is not satisfiable", new("RangeRequested", range), new("ActualObjectSize", size.ToString()))
        {
            Headers = [new("Content-Range", $"bytes */{size}")],
        };

    public static S3Exception InvalidRetentionPeriod() => new(400, "InvalidRetentionPeriod", "Default retention period must be a positive integer value");

    public static S3Exception InvalidObjectState(string storageClass, string message = "The operation is not valid for the object's storage class") =>
        new(403, "InvalidObjectState", message, new KeyValuePair<string, string>("StorageClass", storageClass));

    public static S3Exception InvalidRequest(string message) => new(400, "InvalidRequest", message);

    public static S3Exception InvalidStorageClass(string storageClass) =>
        new(
            400,
            "InvalidStorageClass",
            "The storage class you specified is not valid",
            new KeyValuePair<string, string>("StorageClassRequested", storageClass));

    public static S3Exception InvalidTag(string message) => new(400, "InvalidTag", message);

    public static S3Exception InvalidToken() => new(400, "InvalidToken", "The provided token is malformed or otherwise invalid.");

    public static S3Exception InvalidUri() => new(400, "InvalidURI", "Couldn't parse the specified URI.");

    public static S3Exception KeyTooLong(int bytes) =>
        new(
            400,
            "KeyTooLongError",
            "Your key is too long",
            new("Size", bytes.ToString()),
            new("MaxSizeAllowed", ServerDefaults.MaximumKeyBytes.ToString()));

    public static S3Exception MalformedXml() =>
        new(400, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema");

    public static S3Exception MalformedPostRequest() => new(400, "MalformedPOSTRequest", "The body of your POST request is not well-formed multipart/form-data.");

    public static S3Exception MaxMessageLengthExceeded(int maximum) =>
        new(
            400,
            "MaxMessageLengthExceeded",
            "Your request was too big.",
            new KeyValuePair<string, string>("MaxMessageLengthBytes", maximum.ToString()));

    public static S3Exception MaxPostPreDataLengthExceeded() =>
        new(400, "MaxPostPreDataLengthExceeded", "Your POST request fields preceding the upload file were too large.");

    public static S3Exception MetadataTooLarge(int bytes) =>
        new(
            400,
            "MetadataTooLarge",
            "Your metadata headers exceed the maximum allowed metadata size",
            new("Size", bytes.ToString()),
            new("MaxSizeAllowed", ServerDefaults.MaximumUserMetadataBytes.ToString()));

    public static S3Exception MethodNotAllowed(string method) =>
        new(
            405,
            "MethodNotAllowed",
            "The specified method is not allowed against this resource.",
            new KeyValuePair<string, string>("Method", method));

    public static S3Exception MissingContentLength() => new(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");

    public static S3Exception NoSuchBucket(string bucket) =>
        new(404, "NoSuchBucket", "The specified bucket does not exist", new KeyValuePair<string, string>("BucketName", bucket));

    public static S3Exception NoSuchCorsConfiguration() => new(404, "NoSuchCORSConfiguration", "The CORS configuration does not exist");

    public static S3Exception NoObjectLockConfiguration() =>
        new(404, "ObjectLockConfigurationNotFoundError", "Object Lock configuration does not exist for this bucket");

    public static S3Exception NoSuchObjectLock() =>
        new(404, "NoSuchObjectLockConfiguration", "The specified object does not have a ObjectLock configuration");

    public static S3Exception NoSuchTagSet() => new(404, "NoSuchTagSet", "The TagSet does not exist");

    /// <param name="key">The key.</param>
    /// <param name="marker">The delete marker that hides the object; null for none.</param>
    public static S3Exception NoSuchKey(string key, KeyVersion? marker = null) =>
        new(404, "NoSuchKey", "The specified key does not exist.", new KeyValuePair<string, string>("Key", key)) { Headers = MarkerHeaders(marker) };

    public static S3Exception NoSuchUpload(string uploadId) =>
        new(
            404,
            "NoSuchUpload",
            "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
            new KeyValuePair<string, string>("UploadId", uploadId));

    public static S3Exception NoSuchVersion(string key, string versionId) =>
        new(404, "NoSuchVersion", "The specified version does not exist.", new("Key", key), new("VersionId", versionId));

    public static S3Exception IsDeleteMarker(KeyVersion marker) =>
        new(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")
        {
            Headers = [.. MarkerHeaders(marker), new("Last-Modified", HttpDate.Format(marker.LastModified))],
        };

    public static S3Exception NotImplemented(string what) =>
        new(
            501,
            "NotImplemented",
            "A header or parameter you provided implies functionality that is not implemented",
            new KeyValuePair<string, string>("Header", what));

    public static S3Exception ObjectIsLocked() => AccessDenied("Access Denied because object protected by object lock.");

    public static S3Exception PreconditionFailed(string condition) =>
        new(
            412,
            "PreconditionFailed",
            "At least one of the pre-conditions you specified did not hold",
            new KeyValuePair<string, string>("Condition", condition));

    public static S3Exception RequestTimeTooSkewed(string requestTime, DateTimeOffset now) =>
        new(
            403,
            "RequestTimeTooSkewed",
            "The difference between the request time and the current time is too large.",
            new("RequestTime", requestTime),
            new("ServerTime", XmlResponse.Timestamp(now)),
            new("MaxAllowedSkewMilliseconds", ((long)ServerDefaults.MaximumClockSkew.TotalMilliseconds).ToString()));

    public static S3Exception RestoreAlreadyInProgress() => new(409, "RestoreAlreadyInProgress", "Object restore is already in progress");

    public static S3Exception SignatureDoesNotMatch(string accessKeyId, string stringToSign, string canonicalRequest) =>
        new(
            403,
            "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
            new("AWSAccessKeyId", accessKeyId),
            new("StringToSign", stringToSign),
            new("CanonicalRequest", canonicalRequest));

    public static S3Exception SlowDown(int? retryAfterSeconds) =>
        new(503, "SlowDown", "Please reduce your request rate.")
        {
            Headers = retryAfterSeconds is int seconds ? [new("Retry-After", seconds.ToString())] : [],
        };

    public static S3Exception TooManyRequests() => new(429, "TooManyRequests", "Please reduce your request rate.");

    private static KeyValuePair<string, string>[] MarkerHeaders(KeyVersion? marker) =>
        marker is null ? [] : [new("x-amz-delete-marker", "true"), new("x-amz-version-id", marker.Id)];

    public static S3Exception XAmzContentSha256Mismatch(string claimed, string computed) =>
        new(
            400,
            "XAmzContentSHA256Mismatch",
            "The provided 'x-amz-content-sha256' header does not match what was computed.",
            new("ClientComputedContentSHA256", claimed),
            new("S3ComputedContentSHA256", computed));
}
