using System.Text;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Acls;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Signing;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Forms;

/// <summary>Stores an object that a page uploads with a form. The form has a signed policy in place of a signed request.</summary>
internal static class PostObjectOperation
{
    public static async Task AnswerAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        if (exchange.Http.Request.ContentLength is null)
        {
            throw S3Errors.MissingContentLength();
        }

        (FormFields form, Stream file) = await FormFields.ReadAsync(exchange).ConfigureAwait(false);
        string key = form.Require("key");
        exchange.SelectKey(key.Length > 0 ? key : throw S3Errors.InvalidArgument("User key must have a length greater than 0.", "key", key));
        FormPolicy? policy = Authorize(exchange, form);
        IHeaderDictionary headers = form.ToHeaders();
        UnsupportedHeaders.ThrowIfAny(headers, takesCustomerKey: true, takesAcl: exchange.Server.Options.AllowPublicAcls);
        ObjectAttributes attributes = ObjectHeaders.Read(headers);
        if (form["tagging"] is { } tagging)
        {
            attributes = attributes with { Tags = ChangeObjectTaggingOperation.Parse(Encoding.UTF8.GetBytes(tagging)) };
        }

        DeclaredChecksum? declared = DeclaredChecksum.FromHeaders(headers);
        declared?.ThrowIfMalformed();
        ChecksumAlgorithm algorithm = declared?.Info.Algorithm ?? ChecksumAlgorithm.Crc64Nvme;
        ReceivedContent received = await FormFile.ReceiveAsync(exchange, file, policy, declared, algorithm).ConfigureAwait(false);
        var value = new StoredObject
        {
            Key = key,
            ETag = received.ETag,
            LastModified = exchange.Server.Now,
            Attributes = attributes,
            Checksum = new ObjectChecksum(algorithm, ChecksumType.FullObject, received.GetChecksum(algorithm)),
            Content = received.Content,
        };
        await ObjectPublisher.PublishAsync(exchange, bucket, value, WriteCondition.None).ConfigureAwait(false);
        await AnswerAsync(exchange, form, value).ConfigureAwait(false);
    }

    /// <summary>Checks the policy; null if the form has none and needs none.</summary>
    private static FormPolicy? Authorize(S3Exchange exchange, FormFields form)
    {
        if (form["policy"] is not { } text)
        {
            return exchange.Server.Options.AllowAnonymous || PublicAccess.Allows(exchange) ? null : throw S3Errors.AccessDenied();
        }

        FormSignature.Verify(exchange.Server.Verifier, form);
        FormPolicy policy = FormPolicy.Parse(text);
        policy.Check(form, exchange.Target.Bucket!, exchange.Server.Options.Time.GetUtcNow());
        return policy;
    }

    /// <summary>Answers with the page or the status that the form asks for.</summary>
    private static async Task AnswerAsync(S3Exchange exchange, FormFields form, StoredObject value)
    {
        string location = $"{exchange.Http.Request.Scheme}://{exchange.Http.Request.Host.Value}/{exchange.Target.Bucket}/{PercentEncoding.Encode(value.Key, keepSlash: true)}";
        IHeaderDictionary answer = exchange.Http.Response.Headers;
        answer.ETag = XmlResponse.QuotedETag(value.ETag);
        answer.Location = location;
        ObjectHeaders.WriteChecksum(answer, value.Checksum.Info, value.Checksum.Type, value.Checksum.Value);
        if ((form["success_action_redirect"] ?? form["redirect"]) is { } redirect && Uri.TryCreate(redirect, UriKind.Absolute, out Uri? page) && Ascii.IsValid(page.AbsoluteUri))
        {
            string query = $"bucket={exchange.Target.Bucket}&key={PercentEncoding.Encode(value.Key, keepSlash: true)}&etag=%22{value.ETag}%22";
            answer.Location = page.AbsoluteUri + (page.Query.Length > 0 ? "&" : "?") + query;
            await exchange.AnswerAsync(StatusCodes.Status303SeeOther).ConfigureAwait(false);
            return;
        }

        if (form["success_action_status"] != "201")
        {
            await exchange.AnswerAsync(form["success_action_status"] == "200" ? StatusCodes.Status200OK : StatusCodes.Status204NoContent).ConfigureAwait(false);
            return;
        }

        ReadOnlyMemory<byte> document = XmlResponse.Document("PostResponse", withNamespace: false, writer =>
        {
            writer.Element("Location", location);
            writer.Element("Bucket", exchange.Target.Bucket);
            writer.Element("Key", value.Key);
            writer.Element("ETag", XmlResponse.QuotedETag(value.ETag));
        });
        await exchange.AnswerXmlAsync(StatusCodes.Status201Created, errorCode: null, document).ConfigureAwait(false);
    }
}
