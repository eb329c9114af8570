using System.Xml;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;

namespace Transfer.S3.Server.Acls;

/// <summary>Returns the access control lists of buckets and objects, and replaces them by predefined ones.</summary>
internal static class AclOperations
{
    private const string Instance = "http://www.w3.org/2001/XMLSchema-instance";
    private const string Groups = "http://acs.amazonaws.com/groups/global/";

    public static Task GetBucketAclAsync(S3Exchange exchange) => AnswerAsync(exchange, exchange.Bucket.Settings.Acl);

    public static Task GetObjectAclAsync(S3Exchange exchange) => AnswerAsync(exchange, exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId).Attributes.Acl);

    public static Task PutBucketAclAsync(S3Exchange exchange)
    {
        string? acl = Require(exchange);
        exchange.Bucket.Change(settings => settings with { Acl = acl });
        return exchange.AnswerAsync(StatusCodes.Status200OK);
    }

    public static async Task PutObjectAclAsync(S3Exchange exchange)
    {
        string? acl = Require(exchange);
        await ObjectAttributeChange.ApplyAsync(
            exchange, static exchange => exchange.Bucket.Get(exchange.Key, exchange.Target.VersionId), current => current with { Acl = acl }).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    private static string? Require(S3Exchange exchange)
    {
        ThrowIfOff(exchange);
        UnsupportedHeaders.ThrowIfAny(exchange.Http.Request.Headers, takesAcl: true);
        return CannedAcl.Parse(exchange.Header(CannedAcl.HeaderName) ?? throw S3Errors.NotImplemented("AccessControlPolicy"));
    }

    private static void ThrowIfOff(S3Exchange exchange)
    {
        if (!exchange.Server.Options.AllowPublicAcls)
        {
            throw S3Errors.NotImplemented("acl");
        }
    }

    private static Task AnswerAsync(S3Exchange exchange, string? acl)
    {
        ThrowIfOff(exchange);
        string owner = exchange.Server.Options.AccessKeyId;
        return exchange.AnswerXmlAsync("AccessControlPolicy", writer =>
        {
            Listing.WriteOwner(writer, "Owner", owner);
            writer.WriteStartElement("AccessControlList");
            if (CannedAcl.IsForReaders(acl))
            {
                WriteGrant(writer, "AllUsers", "READ");
            }

            if (CannedAcl.IsForWriters(acl))
            {
                WriteGrant(writer, "AllUsers", "WRITE");
            }

            if (acl == CannedAcl.AuthenticatedRead)
            {
                WriteGrant(writer, "AuthenticatedUsers", "READ");
            }

            WriteGrant(writer, group: null, "FULL_CONTROL", owner);
            writer.WriteEndElement();
        });
    }

    private static void WriteGrant(XmlWriter writer, string? group, string permission, string? owner = null)
    {
        writer.WriteStartElement("Grant");
        writer.WriteStartElement("Grantee");
        writer.WriteAttributeString("xsi", "type", Instance, group is null ? "CanonicalUser" : "Group");
        writer.Element("URI", group is null ? null : Groups + group);
        writer.Element("ID", owner);
        writer.Element("DisplayName", owner);
        writer.WriteEndElement();
        writer.Element("Permission", permission);
        writer.WriteEndElement();
    }
}
