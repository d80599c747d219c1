import Foundation

/// Texts of model files.
enum SampleDocuments {
    /// One of everything.
    static let zoo = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
        systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="2">
            <entity name="Animal" representedClassName=".Animal" isAbstract="YES" elementID="Creature" \
        versionHashModifier="b" syncable="YES" codeGenerationType="class">
                <attribute name="born" optional="YES" attributeType="Date" minDateTimeInterval="-978307200" \
        defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
                <attribute name="chip" attributeType="UUID" usesScalarValueType="NO" preserveAfterDeletion="YES"/>
                <attribute name="legs" optional="YES" attributeType="Integer 16" minValueString="0" maxValueString="1000" \
        defaultValueString="4" usesScalarValueType="YES"/>
                <attribute name="loud" optional="YES" attributeType="String" derived="YES" \
        derivationExpression="uppercase:(name)"/>
                <attribute name="mood" optional="YES" transient="YES" attributeType="Undefined"/>
                <attribute name="name" attributeType="String" minValueString="1" maxValueString="40" \
        defaultValueString="a &quot;b&quot; &lt;c&gt; &amp;" regularExpressionString="[a-z]+"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="tags" optional="YES" attributeType="Transformable" \
        allowsCloudEncryption="YES" valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
                <attribute name="weight" optional="YES" attributeType="Decimal" defaultValueString="1.50"/>
                <relationship name="home" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Enclosure" inverseName="inhabitants" inverseEntity="Enclosure"/>
                <fetchIndex name="byName" partialIndexPredicate="legs &gt; 2">
                    <fetchIndexElement property="name" type="Binary" order="ascending"/>
                    <fetchIndexElement property="legs" type="Binary" order="descending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="name"/>
                        <constraint value="chip"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="colour" value="grey"/>
                </userInfo>
            </entity>
            <entity name="Bird" representedClassName=".Bird" parentEntity="Animal" syncable="YES" \
        codeGenerationType="category">
                <attribute name="wingspan" optional="YES" attributeType="Double" defaultValueString="0.0" \
        usesScalarValueType="YES"/>
            </entity>
            <entity name="Enclosure" representedClassName="Enclosure" syncable="YES">
                <attribute name="open" optional="YES" attributeType="Boolean" defaultValueString="YES" \
        usesScalarValueType="YES"/>
                <attribute name="place" optional="YES" attributeType="Composite">
                    <attribute name="latitude" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
                    <attribute name="longitude" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
                </attribute>
                <relationship name="inhabitants" optional="YES" toMany="YES" minCount="1" maxCount="9" \
        deletionRule="Deny" ordered="YES" destinationEntity="Animal" inverseName="home" inverseEntity="Animal"/>
                <fetchedProperty name="namesakes" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Animal" \
        predicateString="name == $FETCH_SOURCE.name"/>
                </fetchedProperty>
            </entity>
            <configuration name="Outdoors">
                <memberEntity name="Animal"/>
                <memberEntity name="Bird"/>
            </configuration>
            <fetchRequest name="loudOnes" entity="Animal" predicateString="loud BEGINSWITH $LETTER"/>
            <elements>
                <element name="Animal" positionX="-63" positionY="-18" width="128" height="89"/>
            </elements>
        </model>
        """

    /// A model of one entity with the given contents.
    static func model(_ content: String) -> Data {
        Data("<model>\n<entity name=\"Note\">\n\(content)\n</entity>\n</model>".utf8)
    }
}
