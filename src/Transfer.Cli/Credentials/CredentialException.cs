using Amazon.Runtime;

namespace Transfer.S3.Cli.Credentials;

/// <summary>The exception that is thrown when a source returns no credentials. The message says what to do, and contains no secret.</summary>
internal sealed class CredentialException(string message, Exception? innerException = null) : AmazonClientException(message, innerException);
